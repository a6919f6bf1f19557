CREATE TYPE "public"."data_type" AS ENUM('vector', 'raster', 'data');--> statement-breakpoint
CREATE TYPE "public"."version_state" AS ENUM('staged', 'current', 'retired');--> statement-breakpoint
CREATE TABLE "dataset_versions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"state" "version_state" NOT NULL,
	"storage_key" text,
	"multipart_id" text,
	"feature_count" integer DEFAULT 0 NOT NULL,
	"feature_bytes" bigint DEFAULT 0 NOT NULL,
	"type_counts" integer[] DEFAULT '{0,0,0,0,0,0,0,0}' NOT NULL,
	"bbox" double precision[],
	"property_names" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"touched_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "datasets" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid,
	"user_email" text,
	"name" text NOT NULL,
	"description" text,
	"is_public" boolean DEFAULT false NOT NULL,
	"data_type" "data_type" DEFAULT 'vector' NOT NULL,
	"srid" integer DEFAULT 4326 NOT NULL,
	"declared_geometry_type" text,
	"status" text NOT NULL,
	"metadata" json,
	"storage_ref" text,
	"file_name" text,
	"file_bytes" bigint,
	"version_id" uuid NOT NULL,
	"feature_count" integer DEFAULT 0 NOT NULL,
	"feature_bytes" bigint DEFAULT 0 NOT NULL,
	"type_counts" integer[] DEFAULT '{0,0,0,0,0,0,0,0}' NOT NULL,
	"bbox" double precision[],
	"property_names" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "datasets_version" UNIQUE("version_id"),
	CONSTRAINT "datasets_file" CHECK (("datasets"."file_name" is null) = ("datasets"."file_bytes" is null))
);
--> statement-breakpoint
CREATE TABLE "features" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"version_id" uuid NOT NULL,
	"seq" bigint GENERATED ALWAYS AS IDENTITY (sequence name "features_seq_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"type" smallint NOT NULL,
	"geojson" text,
	"properties" text NOT NULL,
	"source_id" text,
	"bytes" integer NOT NULL,
	"geom" geometry(Geometry, 4326),
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "datasets" ADD CONSTRAINT "datasets_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "datasets" ADD CONSTRAINT "datasets_version_id_dataset_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."dataset_versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "dataset_versions_unused" ON "dataset_versions" USING btree ("touched_at") WHERE "dataset_versions"."state" <> 'current';--> statement-breakpoint
CREATE INDEX "datasets_user" ON "datasets" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "datasets_email" ON "datasets" USING btree ("user_email","created_at","id");--> statement-breakpoint
CREATE INDEX "datasets_created" ON "datasets" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "datasets_public" ON "datasets" USING btree ("created_at","id") WHERE "datasets"."is_public";--> statement-breakpoint
CREATE INDEX "features_version" ON "features" USING btree ("version_id","seq");--> statement-breakpoint
CREATE INDEX "features_geom" ON "features" USING gist ("geom");
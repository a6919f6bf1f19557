CREATE EXTENSION IF NOT EXISTS postgis;--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE TYPE "public"."area_level" AS ENUM('region', 'province', 'municity', 'submunicipality', 'barangay');--> statement-breakpoint
CREATE TYPE "public"."code_change" AS ENUM('renumbered', 'abolished');--> statement-breakpoint
CREATE TYPE "public"."resolution" AS ENUM('simple', 'medium', 'detailed');--> statement-breakpoint
CREATE TABLE "active_release" (
	"singleton" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"release_id" text NOT NULL,
	"activated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "active_release_singleton" CHECK ("active_release"."singleton")
);
--> statement-breakpoint
CREATE TABLE "area_names" (
	"release_id" text NOT NULL,
	"level" "area_level" NOT NULL,
	"code" text NOT NULL,
	"key" text NOT NULL,
	"former" boolean NOT NULL,
	CONSTRAINT "area_names_pk" PRIMARY KEY("release_id","level","code","key")
);
--> statement-breakpoint
CREATE TABLE "areas" (
	"id" serial PRIMARY KEY NOT NULL,
	"release_id" text NOT NULL,
	"level" "area_level" NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	"name_key" text NOT NULL,
	"type" text,
	"city_class" text,
	"r_code" text,
	"p_code" text,
	"host_province_code" text,
	"m_code" text,
	"sm_code" text,
	"urban_rural" text,
	"population" integer,
	"lon" double precision,
	"lat" double precision,
	"bbox" double precision[],
	"province_count" integer DEFAULT 0 NOT NULL,
	"municity_count" integer DEFAULT 0 NOT NULL,
	"hosted_municity_count" integer DEFAULT 0 NOT NULL,
	"barangay_count" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "areas_code" UNIQUE("release_id","code")
);
--> statement-breakpoint
CREATE TABLE "boundaries" (
	"release_id" text NOT NULL,
	"level" "area_level" NOT NULL,
	"resolution" "resolution" NOT NULL,
	"code" text NOT NULL,
	"geojson" text NOT NULL,
	"geom" geometry(Geometry, 4326) NOT NULL,
	CONSTRAINT "boundaries_pk" PRIMARY KEY("release_id","level","resolution","code")
);
--> statement-breakpoint
CREATE TABLE "code_aliases" (
	"release_id" text NOT NULL,
	"level" "area_level" NOT NULL,
	"alias" text NOT NULL,
	"code" text NOT NULL,
	"change" "code_change" NOT NULL,
	CONSTRAINT "code_aliases_pk" PRIMARY KEY("release_id","level","alias","code")
);
--> statement-breakpoint
CREATE TABLE "data_releases" (
	"id" text PRIMARY KEY NOT NULL,
	"edition" text NOT NULL,
	"sources" jsonb NOT NULL,
	"report" jsonb NOT NULL,
	"checked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "former_names" (
	"release_id" text NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "former_names_pk" PRIMARY KEY("release_id","code","name")
);
--> statement-breakpoint
ALTER TABLE "active_release" ADD CONSTRAINT "active_release_release_id_data_releases_id_fk" FOREIGN KEY ("release_id") REFERENCES "public"."data_releases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "area_names" ADD CONSTRAINT "area_names_release_id_data_releases_id_fk" FOREIGN KEY ("release_id") REFERENCES "public"."data_releases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "areas" ADD CONSTRAINT "areas_release_id_data_releases_id_fk" FOREIGN KEY ("release_id") REFERENCES "public"."data_releases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "boundaries" ADD CONSTRAINT "boundaries_release_id_data_releases_id_fk" FOREIGN KEY ("release_id") REFERENCES "public"."data_releases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "code_aliases" ADD CONSTRAINT "code_aliases_release_id_data_releases_id_fk" FOREIGN KEY ("release_id") REFERENCES "public"."data_releases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "former_names" ADD CONSTRAINT "former_names_release_id_data_releases_id_fk" FOREIGN KEY ("release_id") REFERENCES "public"."data_releases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "area_names_key" ON "area_names" USING btree ("release_id","level","key");--> statement-breakpoint
CREATE INDEX "area_names_trigrams" ON "area_names" USING gin ("key" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "areas_level" ON "areas" USING btree ("release_id","level","code");--> statement-breakpoint
CREATE INDEX "areas_local_code" ON "areas" USING btree ("release_id","level",right("code", 8));--> statement-breakpoint
CREATE INDEX "areas_region" ON "areas" USING btree ("release_id","r_code","level","code");--> statement-breakpoint
CREATE INDEX "areas_province" ON "areas" USING btree ("release_id","p_code","level","code");--> statement-breakpoint
CREATE INDEX "areas_host" ON "areas" USING btree ("release_id","host_province_code","level","code");--> statement-breakpoint
CREATE INDEX "areas_municity" ON "areas" USING btree ("release_id","m_code","code");
CREATE EXTENSION IF NOT EXISTS postgis;--> statement-breakpoint
CREATE EXTENSION IF NOT EXISTS pg_trgm;--> statement-breakpoint
CREATE TYPE "public"."key_environment" AS ENUM('live', 'test');--> statement-breakpoint
CREATE TYPE "public"."actor_kind" AS ENUM('master', 'session', 'key', 'webhook', 'command');--> statement-breakpoint
CREATE TYPE "public"."data_type" AS ENUM('vector', 'raster', 'data');--> statement-breakpoint
CREATE TYPE "public"."version_state" AS ENUM('staged', 'current', 'retired', 'purging');--> statement-breakpoint
CREATE TYPE "public"."area_level" AS ENUM('region', 'province', 'municity', 'submunicipality', 'barangay');--> statement-breakpoint
CREATE TYPE "public"."boundary_set" AS ENUM('none', 'display', 'full');--> statement-breakpoint
CREATE TYPE "public"."code_change" AS ENUM('renumbered', 'abolished');--> statement-breakpoint
CREATE TYPE "public"."resolution" AS ENUM('simple', 'medium', 'detailed');--> statement-breakpoint
CREATE TYPE "public"."email_status" AS ENUM('bounced', 'complained');--> statement-breakpoint
CREATE TYPE "public"."webhook_source" AS ENUM('identity', 'email');--> statement-breakpoint
CREATE TABLE "api_key_usage" (
	"key_id" uuid NOT NULL,
	"day" date NOT NULL,
	"path" text NOT NULL,
	"status" smallint NOT NULL,
	"requests" bigint NOT NULL,
	"duration_ms" bigint NOT NULL,
	CONSTRAINT "api_key_usage_pk" PRIMARY KEY("key_id","day","path","status")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"environment" "key_environment" NOT NULL,
	"prefix" text NOT NULL,
	"hash" text NOT NULL,
	"scopes" text[],
	"rate_limit_rpm" integer,
	"rate_limit_burst" integer,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"replaced_by" uuid,
	"usage_checked_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_keys_prefix" UNIQUE("prefix"),
	CONSTRAINT "api_keys_scopes" CHECK ("api_keys"."scopes" is null or cardinality("api_keys"."scopes") > 0)
);
--> statement-breakpoint
CREATE TABLE "profiles" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"subject" text NOT NULL,
	"email" text,
	"name" text,
	"is_admin" boolean DEFAULT false NOT NULL,
	"deleted_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"state_at" timestamp with time zone,
	"state_told_at" timestamp with time zone,
	CONSTRAINT "profiles_subject" UNIQUE("subject")
);
--> statement-breakpoint
CREATE TABLE "usage_batches" (
	"id" uuid PRIMARY KEY NOT NULL,
	"added_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_logs" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_logs_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"request_id" text,
	"actor_kind" "actor_kind" NOT NULL,
	"actor_user_id" uuid,
	"actor_key_id" uuid,
	"action" text NOT NULL,
	"subject_type" text NOT NULL,
	"subject_id" text NOT NULL,
	"details" jsonb DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "area_neighbors" (
	"release_id" text NOT NULL,
	"level" "area_level" NOT NULL,
	"code" text NOT NULL,
	"neighbor" text NOT NULL,
	CONSTRAINT "area_neighbors_pk" PRIMARY KEY("release_id","level","code","neighbor")
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
	"bytes" integer NOT NULL,
	CONSTRAINT "boundaries_pk" PRIMARY KEY("release_id","level","resolution","code")
);
--> statement-breakpoint
-- The text is read far more often than written, and has mostly digits. Stored uncompressed it takes more disk, but no
-- reader has to uncompress it.
ALTER TABLE "boundaries" ALTER COLUMN "geojson" SET STORAGE EXTERNAL;--> statement-breakpoint
CREATE TABLE "boundary_pieces" (
	"release_id" text NOT NULL,
	"level" "area_level" NOT NULL,
	"code" text NOT NULL,
	"geom" geometry(Geometry, 4326) NOT NULL
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
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"boundary_set" "boundary_set" DEFAULT 'none' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "former_names" (
	"release_id" text NOT NULL,
	"code" text NOT NULL,
	"name" text NOT NULL,
	CONSTRAINT "former_names_pk" PRIMARY KEY("release_id","code","name")
);
--> statement-breakpoint
CREATE TABLE "organization_members" (
	"organization_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text,
	"removed_at" timestamp with time zone,
	"state_at" timestamp with time zone,
	"state_told_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "organization_members_pk" PRIMARY KEY("organization_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"external_id" text NOT NULL,
	"name" text,
	"slug" text,
	"deleted_at" timestamp with time zone,
	"state_at" timestamp with time zone,
	"state_told_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "organizations_external_id" UNIQUE("external_id")
);
--> statement-breakpoint
CREATE TABLE "tile_archives" (
	"slug" text PRIMARY KEY NOT NULL,
	"object_key" text NOT NULL,
	"etag" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"attribution" text,
	"minzoom" smallint NOT NULL,
	"maxzoom" smallint NOT NULL,
	"bounds" double precision[] NOT NULL,
	"center" double precision[] NOT NULL,
	"vector_layers" jsonb NOT NULL,
	"release_id" text,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "email_flags" (
	"email" text PRIMARY KEY NOT NULL,
	"status" "email_status" NOT NULL,
	"flagged_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"source" "webhook_source" NOT NULL,
	"delivery_id" text NOT NULL,
	"type" text,
	"event_at" timestamp with time zone,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"note" text,
	"bytes" integer NOT NULL,
	"body" text,
	CONSTRAINT "webhook_events_delivery" UNIQUE("delivery_id","source")
);
--> statement-breakpoint
ALTER TABLE "api_key_usage" ADD CONSTRAINT "api_key_usage_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_replaced_by_api_keys_id_fk" FOREIGN KEY ("replaced_by") REFERENCES "public"."api_keys"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "datasets" ADD CONSTRAINT "datasets_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "datasets" ADD CONSTRAINT "datasets_version_id_dataset_versions_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."dataset_versions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "active_release" ADD CONSTRAINT "active_release_release_id_data_releases_id_fk" FOREIGN KEY ("release_id") REFERENCES "public"."data_releases"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "area_names" ADD CONSTRAINT "area_names_release_id_data_releases_id_fk" FOREIGN KEY ("release_id") REFERENCES "public"."data_releases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "area_neighbors" ADD CONSTRAINT "area_neighbors_release_id_data_releases_id_fk" FOREIGN KEY ("release_id") REFERENCES "public"."data_releases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "areas" ADD CONSTRAINT "areas_release_id_data_releases_id_fk" FOREIGN KEY ("release_id") REFERENCES "public"."data_releases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "boundaries" ADD CONSTRAINT "boundaries_release_id_data_releases_id_fk" FOREIGN KEY ("release_id") REFERENCES "public"."data_releases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "boundary_pieces" ADD CONSTRAINT "boundary_pieces_release_id_data_releases_id_fk" FOREIGN KEY ("release_id") REFERENCES "public"."data_releases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "code_aliases" ADD CONSTRAINT "code_aliases_release_id_data_releases_id_fk" FOREIGN KEY ("release_id") REFERENCES "public"."data_releases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "former_names" ADD CONSTRAINT "former_names_release_id_data_releases_id_fk" FOREIGN KEY ("release_id") REFERENCES "public"."data_releases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_members" ADD CONSTRAINT "organization_members_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_members" ADD CONSTRAINT "organization_members_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_key_usage_day" ON "api_key_usage" USING btree ("day");--> statement-breakpoint
CREATE INDEX "api_keys_user" ON "api_keys" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "api_keys_created" ON "api_keys" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "api_keys_usage_checked" ON "api_keys" USING btree ("usage_checked_at","id");--> statement-breakpoint
CREATE INDEX "profiles_email" ON "profiles" USING btree ("email");--> statement-breakpoint
CREATE INDEX "profiles_created" ON "profiles" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "profiles_admins" ON "profiles" USING btree ("created_at","id") WHERE "profiles"."is_admin";--> statement-breakpoint
CREATE INDEX "profiles_deleted" ON "profiles" USING btree ("created_at","id") WHERE "profiles"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "usage_batches_added" ON "usage_batches" USING btree ("added_at");--> statement-breakpoint
CREATE INDEX "audit_logs_at" ON "audit_logs" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "audit_logs_action" ON "audit_logs" USING btree ("action","at","id");--> statement-breakpoint
CREATE INDEX "audit_logs_actor" ON "audit_logs" USING btree ("actor_user_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_logs_subject" ON "audit_logs" USING btree ("subject_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_logs_subject_type" ON "audit_logs" USING btree ("subject_type","at","id");--> statement-breakpoint
CREATE INDEX "audit_logs_request" ON "audit_logs" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "dataset_versions_unused" ON "dataset_versions" USING btree ("touched_at") WHERE "dataset_versions"."state" <> 'current';--> statement-breakpoint
CREATE INDEX "datasets_user" ON "datasets" USING btree ("user_id","created_at","id");--> statement-breakpoint
CREATE INDEX "datasets_email" ON "datasets" USING btree ("user_email","created_at","id");--> statement-breakpoint
CREATE INDEX "datasets_created" ON "datasets" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "datasets_public" ON "datasets" USING btree ("created_at","id") WHERE "datasets"."is_public";--> statement-breakpoint
CREATE INDEX "features_version" ON "features" USING btree ("version_id","seq");--> statement-breakpoint
CREATE INDEX "features_geom" ON "features" USING gist ("geom");--> statement-breakpoint
CREATE INDEX "area_names_key" ON "area_names" USING btree ("release_id","level","key");--> statement-breakpoint
CREATE INDEX "area_names_trigrams" ON "area_names" USING gin ("key" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "areas_level" ON "areas" USING btree ("release_id","level","code");--> statement-breakpoint
CREATE INDEX "areas_local_code" ON "areas" USING btree ("release_id","level",right("code", 8));--> statement-breakpoint
CREATE INDEX "areas_region" ON "areas" USING btree ("release_id","r_code","level","code");--> statement-breakpoint
CREATE INDEX "areas_province" ON "areas" USING btree ("release_id","p_code","level","code");--> statement-breakpoint
CREATE INDEX "areas_host" ON "areas" USING btree ("release_id","host_province_code","level","code");--> statement-breakpoint
CREATE INDEX "areas_municity" ON "areas" USING btree ("release_id","m_code","code");--> statement-breakpoint
CREATE INDEX "boundary_pieces_geom" ON "boundary_pieces" USING gist ("geom");--> statement-breakpoint
CREATE INDEX "boundary_pieces_release" ON "boundary_pieces" USING btree ("release_id");--> statement-breakpoint
CREATE INDEX "organization_members_user" ON "organization_members" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "webhook_events_received" ON "webhook_events" USING btree ("received_at","id");--> statement-breakpoint
CREATE INDEX "webhook_events_type" ON "webhook_events" USING btree ("type","received_at","id");--> statement-breakpoint
CREATE INDEX "webhook_events_bodies" ON "webhook_events" USING btree ("received_at") WHERE "webhook_events"."body" is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_notes" ON "webhook_events" USING btree ("received_at","id") WHERE "webhook_events"."note" is not null;--> statement-breakpoint
-- Finds the current code of an area by a code that may be an old one: the code itself, the code to which it was
-- renumbered, or the code that differs from it only by its region. Null where it names no area. These are functions, so
-- that a session plans each step once, and runs a step only where the previous one has found nothing.
--
-- asked_local: the last eight digits of the code asked for, null where it has none
CREATE FUNCTION "current_code"("in_release" text, "in_level" "area_level", "asked" text, "asked_local" text) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  "found" text;
BEGIN
  SELECT a.code INTO "found" FROM areas a
    WHERE a.release_id = in_release AND a.code = asked AND a.level = in_level;
  IF "found" IS NOT NULL THEN RETURN "found"; END IF;
  SELECT c.code INTO "found" FROM code_aliases c
    WHERE c.release_id = in_release AND c.level = in_level AND c.alias = asked AND c.change = 'renumbered'
    LIMIT 1;
  IF "found" IS NOT NULL THEN RETURN "found"; END IF;
  SELECT a.code INTO "found" FROM areas a
    WHERE a.release_id = in_release AND a.level = in_level AND right(a.code, 8) = asked_local
    LIMIT 1;
  RETURN "found";
END
$$;
--> statement-breakpoint
-- Finds what became of a code that names no area of a level: the areas that replaced an abolished one, and the area of
-- another level that has the code.
CREATE FUNCTION "lost_code"("in_release" text, "in_level" "area_level", "asked" text)
RETURNS TABLE ("successors" text[], "other_level" "area_level", "other_name" text, "other_parent" text)
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN QUERY SELECT
    (SELECT array_agg(c.code ORDER BY c.code) FROM code_aliases c
      WHERE c.release_id = in_release AND c.level = in_level AND c.alias = asked AND c.change = 'abolished'),
    a.level, a.name, a.m_code
    FROM (SELECT) AS one LEFT JOIN areas a ON a.release_id = in_release AND a.code = asked;
END
$$;

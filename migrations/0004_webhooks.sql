CREATE TYPE "public"."actor_kind" AS ENUM('master', 'session', 'key', 'webhook', 'command');--> statement-breakpoint
CREATE TYPE "public"."email_status" AS ENUM('bounced', 'complained');--> statement-breakpoint
CREATE TYPE "public"."webhook_source" AS ENUM('identity', 'email');--> statement-breakpoint
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
ALTER TABLE "profiles" ADD COLUMN "state_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "profiles" ADD COLUMN "state_told_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "organization_members" ADD CONSTRAINT "organization_members_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_members" ADD CONSTRAINT "organization_members_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_logs_at" ON "audit_logs" USING btree ("at","id");--> statement-breakpoint
CREATE INDEX "audit_logs_action" ON "audit_logs" USING btree ("action","at","id");--> statement-breakpoint
CREATE INDEX "audit_logs_actor" ON "audit_logs" USING btree ("actor_user_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_logs_subject" ON "audit_logs" USING btree ("subject_id","at","id");--> statement-breakpoint
CREATE INDEX "audit_logs_subject_type" ON "audit_logs" USING btree ("subject_type","at","id");--> statement-breakpoint
CREATE INDEX "audit_logs_request" ON "audit_logs" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "organization_members_user" ON "organization_members" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "webhook_events_received" ON "webhook_events" USING btree ("received_at","id");--> statement-breakpoint
CREATE INDEX "webhook_events_type" ON "webhook_events" USING btree ("type","received_at","id");--> statement-breakpoint
CREATE INDEX "webhook_events_bodies" ON "webhook_events" USING btree ("received_at") WHERE "webhook_events"."body" is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_notes" ON "webhook_events" USING btree ("received_at","id") WHERE "webhook_events"."note" is not null;--> statement-breakpoint
CREATE INDEX "profiles_admins" ON "profiles" USING btree ("created_at","id") WHERE "profiles"."is_admin";--> statement-breakpoint
CREATE INDEX "profiles_deleted" ON "profiles" USING btree ("created_at","id") WHERE "profiles"."deleted_at" is not null;
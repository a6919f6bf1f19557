CREATE TABLE "idempotent_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"attempt" uuid NOT NULL,
	"fingerprint" text,
	"subject_id" uuid,
	"lease_until" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "idempotent_requests_created" ON "idempotent_requests" USING btree ("created_at");
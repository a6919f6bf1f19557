ALTER TABLE "dataset_versions" ADD COLUMN "owner" text;--> statement-breakpoint
ALTER TABLE "dataset_versions" ADD COLUMN "file_bytes" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "dataset_versions_owner" ON "dataset_versions" USING btree ("owner") WHERE "dataset_versions"."state" <> 'current';
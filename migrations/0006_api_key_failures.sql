CREATE TABLE "api_key_failures" (
	"key_id" uuid NOT NULL,
	"day" date NOT NULL,
	"path" text NOT NULL,
	"status" smallint NOT NULL,
	"code" text NOT NULL,
	"requests" bigint NOT NULL,
	CONSTRAINT "api_key_failures_pk" PRIMARY KEY("key_id","day","path","status","code")
);
--> statement-breakpoint
ALTER TABLE "api_key_failures" ADD CONSTRAINT "api_key_failures_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_key_failures_day" ON "api_key_failures" USING btree ("day");
ALTER TABLE "former_names" ADD COLUMN "until" text;--> statement-breakpoint
ALTER TABLE "former_names" ADD COLUMN "since" text;
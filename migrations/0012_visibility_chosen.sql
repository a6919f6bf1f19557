ALTER TABLE "datasets" ALTER COLUMN "open_to_everyone" DROP NOT NULL;--> statement-breakpoint
-- Until now nobody could say that a public dataset is not for everyone, so its owner is asked.
UPDATE "datasets" SET "open_to_everyone" = NULL WHERE "is_public" AND NOT "open_to_everyone";

CREATE TABLE "area_changes" (
	"from_edition" text NOT NULL,
	"to_edition" text NOT NULL,
	"position" integer NOT NULL,
	"kind" text NOT NULL,
	"level" "area_level" NOT NULL,
	"from_areas" jsonb NOT NULL,
	"to_areas" jsonb NOT NULL,
	"codes" text[] NOT NULL,
	"basis" text NOT NULL,
	"note" text,
	CONSTRAINT "area_changes_pk" PRIMARY KEY("from_edition","to_edition","position")
);
--> statement-breakpoint
CREATE TABLE "edition_links" (
	"from_edition" text NOT NULL,
	"to_edition" text NOT NULL,
	"level" "area_level" NOT NULL,
	"from_code" text NOT NULL,
	"to_code" text NOT NULL,
	"relation" text NOT NULL,
	"weight_area" double precision,
	"weight_population" double precision,
	"estimated" text,
	"basis" text NOT NULL,
	CONSTRAINT "edition_links_pk" PRIMARY KEY("from_edition","to_edition","from_code","to_code")
);
--> statement-breakpoint
CREATE TABLE "edition_pairs" (
	"from_edition" text NOT NULL,
	"to_edition" text NOT NULL,
	"from_release" text NOT NULL,
	"to_release" text NOT NULL,
	"adjacent" boolean NOT NULL,
	"report" jsonb NOT NULL,
	CONSTRAINT "edition_pairs_pk" PRIMARY KEY("from_edition","to_edition")
);
--> statement-breakpoint
ALTER TABLE "areas" ADD COLUMN "population_year" integer;--> statement-breakpoint
ALTER TABLE "areas" ADD COLUMN "population_history" jsonb;--> statement-breakpoint
ALTER TABLE "areas" ADD COLUMN "income_class" text;--> statement-breakpoint
ALTER TABLE "areas" ADD COLUMN "notes" jsonb;--> statement-breakpoint
ALTER TABLE "areas" ADD COLUMN "correspondence" text;--> statement-breakpoint
ALTER TABLE "areas" ADD COLUMN "area_km2" double precision;--> statement-breakpoint
ALTER TABLE "areas" ADD COLUMN "density_km2" double precision;--> statement-breakpoint
ALTER TABLE "data_releases" ADD COLUMN "published_on" date;--> statement-breakpoint
ALTER TABLE "area_changes" ADD CONSTRAINT "area_changes_pair" FOREIGN KEY ("from_edition","to_edition") REFERENCES "public"."edition_pairs"("from_edition","to_edition") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "edition_links" ADD CONSTRAINT "edition_links_pair" FOREIGN KEY ("from_edition","to_edition") REFERENCES "public"."edition_pairs"("from_edition","to_edition") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "edition_pairs" ADD CONSTRAINT "edition_pairs_from_release_data_releases_id_fk" FOREIGN KEY ("from_release") REFERENCES "public"."data_releases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "edition_pairs" ADD CONSTRAINT "edition_pairs_to_release_data_releases_id_fk" FOREIGN KEY ("to_release") REFERENCES "public"."data_releases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "area_changes_codes" ON "area_changes" USING gin ("codes");
CREATE TYPE "public"."boundary_set" AS ENUM('none', 'display', 'full');--> statement-breakpoint
CREATE TABLE "area_neighbors" (
	"release_id" text NOT NULL,
	"level" "area_level" NOT NULL,
	"code" text NOT NULL,
	"neighbor" text NOT NULL,
	CONSTRAINT "area_neighbors_pk" PRIMARY KEY("release_id","level","code","neighbor")
);
--> statement-breakpoint
CREATE TABLE "boundary_pieces" (
	"release_id" text NOT NULL,
	"level" "area_level" NOT NULL,
	"code" text NOT NULL,
	"geom" geometry(Geometry, 4326) NOT NULL
);
--> statement-breakpoint
ALTER TABLE "boundaries" ADD COLUMN "bytes" integer NOT NULL;--> statement-breakpoint
-- Read far more often than written, and mostly digits: uncompressed text costs disk and saves every reader the unpacking.
ALTER TABLE "boundaries" ALTER COLUMN "geojson" SET STORAGE EXTERNAL;--> statement-breakpoint
ALTER TABLE "data_releases" ADD COLUMN "boundary_set" "boundary_set" DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE "area_neighbors" ADD CONSTRAINT "area_neighbors_release_id_data_releases_id_fk" FOREIGN KEY ("release_id") REFERENCES "public"."data_releases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "boundary_pieces" ADD CONSTRAINT "boundary_pieces_release_id_data_releases_id_fk" FOREIGN KEY ("release_id") REFERENCES "public"."data_releases"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "boundary_pieces_geom" ON "boundary_pieces" USING gist ("geom");--> statement-breakpoint
CREATE INDEX "boundary_pieces_release" ON "boundary_pieces" USING btree ("release_id");
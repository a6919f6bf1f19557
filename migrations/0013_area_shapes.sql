CREATE TABLE "area_shapes" (
	"key" text PRIMARY KEY NOT NULL,
	"type" smallint NOT NULL,
	"geojson" text NOT NULL,
	"bytes" integer NOT NULL,
	"geom" geometry(Geometry, 4326) NOT NULL
);
--> statement-breakpoint
-- In one clause: so no row of features is read, which all have null.
ALTER TABLE "features" ADD COLUMN "shape_key" text CONSTRAINT "features_shape_key_area_shapes_key_fk" REFERENCES "area_shapes"("key");

CREATE TABLE "area_shapes" (
	"key" text PRIMARY KEY NOT NULL,
	"type" smallint NOT NULL,
	"geojson" text NOT NULL,
	"bytes" integer NOT NULL,
	"geom" geometry(Geometry, 4326) NOT NULL
);
--> statement-breakpoint
ALTER TABLE "features" ADD COLUMN "shape_key" text;--> statement-breakpoint
ALTER TABLE "features" ADD CONSTRAINT "features_shape_key_area_shapes_key_fk" FOREIGN KEY ("shape_key") REFERENCES "public"."area_shapes"("key") ON DELETE no action ON UPDATE no action;
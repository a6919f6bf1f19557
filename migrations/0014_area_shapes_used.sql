ALTER TABLE "area_shapes" ADD COLUMN "used_at" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
-- It reads all features and keeps writers from them meanwhile, some seconds for ten million; readers go on.
CREATE INDEX "features_shape" ON "features" USING btree ("shape_key") WHERE "shape_key" is not null;

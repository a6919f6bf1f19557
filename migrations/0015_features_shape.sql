-- Alone in its transaction: it reads all features, and only writers of features wait for it.
CREATE INDEX "features_shape" ON "features" USING btree ("shape_key") WHERE "shape_key" is not null;

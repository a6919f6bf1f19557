CREATE TABLE "tile_archives" (
	"slug" text PRIMARY KEY NOT NULL,
	"object_key" text NOT NULL,
	"etag" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"name" text NOT NULL,
	"description" text,
	"attribution" text,
	"minzoom" smallint NOT NULL,
	"maxzoom" smallint NOT NULL,
	"bounds" double precision[] NOT NULL,
	"center" double precision[] NOT NULL,
	"vector_layers" jsonb NOT NULL,
	"release_id" text,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);

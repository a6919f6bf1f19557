CREATE TABLE "account_storage" (
	"owner" text PRIMARY KEY NOT NULL,
	"bytes" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "profiles" ADD COLUMN "claimed_at" timestamp with time zone;--> statement-breakpoint
-- What follows is written by hand: what each owner stores is kept by triggers.
-- What a dataset counts, bytes.
CREATE FUNCTION stored_bytes(file_bytes bigint, feature_bytes bigint, feature_count integer, description text, metadata json)
RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
	SELECT coalesce(file_bytes, 0) + feature_bytes + 256 * feature_count::bigint + 1024
		+ coalesce(octet_length(description), 0) + coalesce(octet_length(metadata::text), 0)
$$;
--> statement-breakpoint
-- Adds to what an owner stores. What would make it more than account.max_bytes is refused with the SQLSTATE QUOTA and a
-- message that has both numbers. The row is locked until the transaction ends, so the next to add sees the sum.
CREATE FUNCTION add_account_storage(owner_of text, added bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	allowed bigint := nullif(current_setting('account.max_bytes', true), '')::bigint;
	total bigint;
BEGIN
	INSERT INTO account_storage AS s (owner, bytes) VALUES (owner_of, added)
	ON CONFLICT (owner) DO UPDATE SET bytes = s.bytes + excluded.bytes RETURNING s.bytes INTO total;
	IF added > 0 AND total > allowed THEN
		RAISE EXCEPTION USING ERRCODE = 'QUOTA', MESSAGE = format('%s of %s bytes are used', total - added, allowed);
	END IF;
END
$$;
--> statement-breakpoint
-- Owners are changed in order, so that two statements can't wait for each other.
CREATE FUNCTION keep_account_storage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF tg_op = 'INSERT' THEN
		PERFORM add_account_storage(owner, bytes) FROM (
			SELECT coalesce(user_id::text, user_email) AS owner, sum(stored_bytes(file_bytes, feature_bytes, feature_count, description, metadata))::bigint AS bytes
			FROM new_rows GROUP BY 1 ORDER BY 1) AS change WHERE owner IS NOT NULL;
	ELSIF tg_op = 'UPDATE' THEN
		PERFORM add_account_storage(owner, bytes) FROM (
			SELECT owner, sum(bytes)::bigint AS bytes FROM (
				SELECT coalesce(user_id::text, user_email) AS owner, -stored_bytes(file_bytes, feature_bytes, feature_count, description, metadata) AS bytes FROM old_rows
				UNION ALL SELECT coalesce(user_id::text, user_email), stored_bytes(file_bytes, feature_bytes, feature_count, description, metadata) FROM new_rows) AS moved
			GROUP BY 1 HAVING sum(bytes) <> 0 ORDER BY 1) AS change WHERE owner IS NOT NULL;
	ELSE
		PERFORM add_account_storage(owner, bytes) FROM (
			SELECT coalesce(user_id::text, user_email) AS owner, -sum(stored_bytes(file_bytes, feature_bytes, feature_count, description, metadata))::bigint AS bytes
			FROM old_rows GROUP BY 1 ORDER BY 1) AS change WHERE owner IS NOT NULL;
	END IF;
	RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE TRIGGER account_storage_inserted AFTER INSERT ON datasets REFERENCING NEW TABLE AS new_rows
	FOR EACH STATEMENT EXECUTE FUNCTION keep_account_storage();
--> statement-breakpoint
CREATE TRIGGER account_storage_updated AFTER UPDATE ON datasets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
	FOR EACH STATEMENT EXECUTE FUNCTION keep_account_storage();
--> statement-breakpoint
CREATE TRIGGER account_storage_deleted AFTER DELETE ON datasets REFERENCING OLD TABLE AS old_rows
	FOR EACH STATEMENT EXECUTE FUNCTION keep_account_storage();
--> statement-breakpoint
INSERT INTO account_storage (owner, bytes)
SELECT coalesce(user_id::text, user_email), sum(stored_bytes(file_bytes, feature_bytes, feature_count, description, metadata)) FROM datasets
WHERE user_id IS NOT NULL OR user_email IS NOT NULL GROUP BY 1;

ALTER TABLE "profiles" ADD COLUMN "former_emails" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "profiles" ADD COLUMN "erased_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "webhook_events" ADD COLUMN "people" text[];--> statement-breakpoint
CREATE INDEX "api_keys_replaced_by" ON "api_keys" USING btree ("replaced_by") WHERE "api_keys"."replaced_by" is not null;--> statement-breakpoint
CREATE INDEX "profiles_to_erase" ON "profiles" USING btree ("deleted_at","id") WHERE "profiles"."deleted_at" is not null and "profiles"."erased_at" is null;--> statement-breakpoint
CREATE INDEX "audit_logs_owner_from" ON "audit_logs" USING btree ((details #>> '{owner,from,user_email}')) WHERE (details #>> '{owner,from,user_email}') is not null;--> statement-breakpoint
CREATE INDEX "audit_logs_owner_to" ON "audit_logs" USING btree ((details #>> '{owner,to,user_email}')) WHERE (details #>> '{owner,to,user_email}') is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_people" ON "webhook_events" USING gin ("people") WHERE "webhook_events"."body" is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_unread" ON "webhook_events" USING btree ("id") WHERE "webhook_events"."body" is not null and "webhook_events"."people" is null;--> statement-breakpoint
-- What follows is written by hand: an address that a profile gets another one for is kept, so that it can be erased too.
CREATE FUNCTION keep_former_email() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.former_emails := array_append(array_remove(array_remove(OLD.former_emails, NEW.email), OLD.email), OLD.email);
	NEW.former_emails := NEW.former_emails[greatest(1, cardinality(NEW.former_emails) - 49):];
	RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER profiles_former_email BEFORE UPDATE OF email ON profiles FOR EACH ROW
	WHEN (OLD.email IS NOT NULL AND NEW.email IS DISTINCT FROM OLD.email AND NEW.erased_at IS NULL) EXECUTE FUNCTION keep_former_email();
--> statement-breakpoint
-- Whom a body of an event is about: ids of the provider as they are, and addresses in lower case.
CREATE FUNCTION people_in(body text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
	SELECT coalesce(array_agg(person), '{}') FROM (
		SELECT DISTINCT person FROM (
			SELECT lower(m[1]) AS person FROM regexp_matches(body, '[^\s"<>,:;@\\]+@[^\s"<>,:;@\\]+', 'g') AS m
			UNION ALL SELECT m[2] FROM regexp_matches(body, '"(id|user_id)"\s*:\s*"([^"]+)"', 'g') AS m) AS found
		WHERE length(person) <= 320 LIMIT 2000) AS people
$$;

-- The current code of an area that was asked for by one that may be old: the code itself, the one it was renumbered to,
-- or the one that differs in nothing but its region. Null where it names nothing. Functions, so that each step is
-- planned once in a session and run only where the one before has found nothing.
--
-- asked_local: the last eight digits of the code asked for, null where it has no such
CREATE FUNCTION "current_code"("in_release" text, "in_level" "area_level", "asked" text, "asked_local" text) RETURNS text
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  "found" text;
BEGIN
  SELECT a.code INTO "found" FROM areas a
    WHERE a.release_id = in_release AND a.code = asked AND a.level = in_level;
  IF "found" IS NOT NULL THEN RETURN "found"; END IF;
  SELECT c.code INTO "found" FROM code_aliases c
    WHERE c.release_id = in_release AND c.level = in_level AND c.alias = asked AND c.change = 'renumbered'
    LIMIT 1;
  IF "found" IS NOT NULL THEN RETURN "found"; END IF;
  SELECT a.code INTO "found" FROM areas a
    WHERE a.release_id = in_release AND a.level = in_level AND right(a.code, 8) = asked_local
    LIMIT 1;
  RETURN "found";
END
$$;
--> statement-breakpoint
-- What became of a code that names no area of a level: the areas that took the place of an abolished one, and the area
-- of another level that has the code.
CREATE FUNCTION "lost_code"("in_release" text, "in_level" "area_level", "asked" text)
RETURNS TABLE ("successors" text[], "stray_level" "area_level", "stray_name" text, "stray_parent" text)
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN QUERY SELECT
    (SELECT array_agg(c.code ORDER BY c.code) FROM code_aliases c
      WHERE c.release_id = in_release AND c.level = in_level AND c.alias = asked AND c.change = 'abolished'),
    a.level, a.name, a.m_code
    FROM (SELECT) AS one LEFT JOIN areas a ON a.release_id = in_release AND a.code = asked;
END
$$;

-- Finds what became of a code that names no area of a level: the areas that replaced an abolished one, none where
-- nothing is known to have, null where the code was never one; and the area of another level that has the code.
CREATE OR REPLACE FUNCTION "lost_code"("in_release" text, "in_level" "area_level", "asked" text)
RETURNS TABLE ("successors" text[], "other_level" "area_level", "other_name" text, "other_parent" text)
LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
BEGIN
  RETURN QUERY SELECT
    (SELECT coalesce(array_agg(c.code ORDER BY c.code) FILTER (WHERE c.code <> ''), '{}') FROM code_aliases c
      WHERE c.release_id = in_release AND c.level = in_level AND c.alias = asked AND c.change = 'abolished'
      HAVING count(*) > 0),
    a.level, a.name, a.m_code
    FROM (SELECT) AS one LEFT JOIN areas a ON a.release_id = in_release AND a.code = asked;
END
$$;

-- The palette finds a letter by the beginning of its number.
CREATE INDEX letters_number_start ON letters (lower(number) text_pattern_ops);

-- PostgreSQL inlines SQL functions and then counts only some cheap operations, though one call takes 8 µs: it would
-- rather compute the key of every row than read an index. For PL/pgSQL it counts 100.
CREATE OR REPLACE FUNCTION search_key(words text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
BEGIN
  RETURN lower(regexp_replace(normalize(translate(words, '''‘’‛′`´ʹʻʼʽʾʿ＇', ''), NFKD), '[\u0300-\u036f]', '', 'g'));
END
$$;

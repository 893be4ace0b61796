-- Functions shared by the scripts of a fill.

-- Makes the same id from the same name each time, in the form of a random UUID (version 4).
CREATE OR REPLACE FUNCTION pg_temp.demo_uuid(name text) RETURNS uuid LANGUAGE sql IMMUTABLE AS
$$ SELECT overlay(overlay(md5(name) PLACING '4' FROM 13) PLACING '8' FROM 17)::uuid $$;

-- Writes a number with at least this many digits; lpad alone would truncate a longer number.
CREATE OR REPLACE FUNCTION pg_temp.demo_digits(number bigint, digits int) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT lpad(number::text, greatest(digits, length(number::text)), '0') $$;

-- Moves times at night to the morning, when people are awake.
CREATE OR REPLACE FUNCTION pg_temp.demo_awake(at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS
$$ SELECT CASE WHEN extract(hour FROM at AT TIME ZONE 'Asia/Jakarta') < 6 THEN at + interval '7 hours' ELSE at END $$;

-- Gives the same number from 0 to 1 for the same applicant and question each time.
CREATE OR REPLACE FUNCTION pg_temp.demo_roll(number bigint, question bigint) RETURNS float8 LANGUAGE sql IMMUTABLE AS
$$ SELECT (hashint8extended(number, question) & 1048575) / 1048576.0::float8 $$;

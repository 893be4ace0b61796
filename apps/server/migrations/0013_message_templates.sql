-- Words the university chose for what the product tells people. Without a row here the built-in sentence is sent.
CREATE TABLE message_templates (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  event text NOT NULL,
  channel text NOT NULL CHECK (channel IN ('inbox', 'email', 'whatsapp')),
  provider_template varchar(100),
  subject_en varchar(200),
  body_en varchar(2000) NOT NULL,
  subject_id varchar(200),
  body_id varchar(2000) NOT NULL,
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX message_templates_one ON message_templates (event, channel);

-- Which names may stand between double braces, by event; filled from the program's own list at every start.
CREATE TABLE message_placeholders (
  event text NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (event, name)
);

-- A text that asks for what the event cannot know is refused where it is written, whoever writes it.
CREATE FUNCTION message_templates_check_placeholders() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  part record;
  wrong text;
BEGIN
  FOR part IN SELECT * FROM (VALUES ('subject_en', NEW.subject_en), ('subject_id', NEW.subject_id),
    ('body_en', NEW.body_en), ('body_id', NEW.body_id)) AS texts (name, text) WHERE texts.text IS NOT NULL
  LOOP
    SELECT '{{' || hit[1] || '}}' INTO wrong
    FROM regexp_matches(part.text, '\{\{\s*([^{}]*?)\s*\}\}', 'g') AS hit
    WHERE NOT EXISTS (SELECT 1 FROM message_placeholders p WHERE p.event = NEW.event AND p.name = hit[1]) LIMIT 1;
    IF wrong IS NULL THEN
      wrong := substring(regexp_replace(part.text, '\{\{\s*([^{}]*?)\s*\}\}', '', 'g') FROM '\{\{|\}\}');
    END IF;
    IF wrong IS NOT NULL THEN
      RAISE EXCEPTION 'The text asks for something that is not known'
        USING ERRCODE = 'check_violation', TABLE = 'message_templates', DETAIL = wrong,
          CONSTRAINT = 'message_templates_' || part.name || '_placeholders';
    END IF;
  END LOOP;
  RETURN NEW;
END $$;
CREATE TRIGGER message_templates_placeholders BEFORE INSERT OR UPDATE OF event, subject_en, subject_id, body_en, body_id
  ON message_templates FOR EACH ROW EXECUTE FUNCTION message_templates_check_placeholders();

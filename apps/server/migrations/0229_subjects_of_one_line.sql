-- The subject of a mail is one line.
ALTER TABLE campaigns DISABLE TRIGGER USER;
UPDATE campaigns SET subject_id = regexp_replace(subject_id, '[[:cntrl:]]+', ' ', 'g'),
  subject_en = regexp_replace(subject_en, '[[:cntrl:]]+', ' ', 'g')
WHERE subject_id ~ '[[:cntrl:]]' OR subject_en ~ '[[:cntrl:]]';
ALTER TABLE campaigns ENABLE TRIGGER USER;
UPDATE campaign_templates SET subject_id = regexp_replace(subject_id, '[[:cntrl:]]+', ' ', 'g'),
  subject_en = regexp_replace(subject_en, '[[:cntrl:]]+', ' ', 'g')
WHERE subject_id ~ '[[:cntrl:]]' OR subject_en ~ '[[:cntrl:]]';
UPDATE message_templates SET subject_id = regexp_replace(subject_id, '[[:cntrl:]]+', ' ', 'g'),
  subject_en = regexp_replace(subject_en, '[[:cntrl:]]+', ' ', 'g')
WHERE subject_id ~ '[[:cntrl:]]' OR subject_en ~ '[[:cntrl:]]';
ALTER TABLE campaigns ADD CONSTRAINT campaigns_subject_one_line
  CHECK (subject_id !~ '[[:cntrl:]]' AND subject_en !~ '[[:cntrl:]]');
ALTER TABLE campaign_templates ADD CONSTRAINT campaign_templates_subject_one_line
  CHECK (subject_id !~ '[[:cntrl:]]' AND subject_en !~ '[[:cntrl:]]');
ALTER TABLE message_templates ADD CONSTRAINT message_templates_subject_one_line
  CHECK (subject_id !~ '[[:cntrl:]]' AND subject_en !~ '[[:cntrl:]]');

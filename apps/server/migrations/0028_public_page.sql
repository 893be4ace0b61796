-- What the public page of an intake says about master data: names and descriptions in English, whom a track is for,
-- what a fee component pays for, and which discounts visitors see.

ALTER TABLE waves ADD COLUMN name_en varchar(60);
ALTER TABLE degree_levels ADD COLUMN name_en varchar(60);
ALTER TABLE class_programmes ADD COLUMN name_en varchar(120), ADD COLUMN description_en varchar(2000);
ALTER TABLE study_programmes ADD COLUMN description_en varchar(2000);
ALTER TABLE tracks
  ADD COLUMN name_en varchar(120),
  ADD COLUMN description_en varchar(2000),
  ADD COLUMN audience varchar(300),
  ADD COLUMN audience_en varchar(300);
ALTER TABLE track_files ADD COLUMN name_en varchar(120);
ALTER TABLE tests ADD COLUMN name_en varchar(120);
ALTER TABLE fee_components
  ADD COLUMN name_en varchar(120),
  ADD COLUMN description varchar(300),
  ADD COLUMN description_en varchar(300);
ALTER TABLE installment_plans ADD COLUMN name_en varchar(120);
ALTER TABLE discounts ADD COLUMN name_en varchar(120), ADD COLUMN on_public_page boolean NOT NULL DEFAULT false;

-- Discounts that staff give one by one, or by a code, stay between them and the applicant.
UPDATE discounts SET on_public_page = true WHERE condition IN ('early', 'school_agreement', 'sibling');

-- Regions of the ministry's register, whose codes differ from the official ones.
CREATE TABLE feeder_regions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  code varchar(8) NOT NULL,
  name varchar(100) NOT NULL,
  region_code varchar(8),
  active boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by uuid,
  updated_by uuid
);
CREATE UNIQUE INDEX feeder_regions_code_key ON feeder_regions (lower(code) text_pattern_ops);
CREATE UNIQUE INDEX feeder_regions_region_code_key ON feeder_regions (lower(region_code));

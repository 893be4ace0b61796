/** The short questionnaire; its texts are in locales `applicants.questionnaire`. */
export const chooseReasons = [
  'programme',
  'accreditation',
  'reputation',
  'cost',
  'scholarship',
  'location',
  'facilities',
  'career',
  'family',
  'friends',
  'other',
] as const

export const selectionCriteria = [
  'quality',
  'accreditation',
  'tuition',
  'instalments',
  'distance',
  'lecturers',
  'facilities',
  'employment',
  'campus_life',
  'evening_class',
  'other',
] as const

export const informationSources = [
  'school_visit',
  'teacher',
  'brochure',
  'website',
  'search_engine',
  'instagram',
  'tiktok',
  'facebook',
  'youtube',
  'friend',
  'family',
  'alumni',
  'exhibition',
  'radio',
  'other',
] as const

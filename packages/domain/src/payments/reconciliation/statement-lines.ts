export const statementFormats = ['csv', 'xlsx', 'mt940'] as const

/** `held` resembles a stored line and is left out of all sums; `same` is that stored line in other words. */
export const statementStates = ['new', 'held', 'same', 'matched', 'explained'] as const

export const explanations = ['fee', 'interest', 'own_transfer', 'other'] as const

export const matchedBy = ['reference', 'number', 'bill', 'hand', 'recorded'] as const

export const mostStatementBytes = 40_000_000

export const dateFormats = [
  'dd/mm/yyyy',
  'dd-mm-yyyy',
  'dd.mm.yyyy',
  'yyyy-mm-dd',
  'yyyy/mm/dd',
  'yyyymmdd',
  'dd/mm/yy',
  'dd-mm-yy',
  'mm/dd/yyyy',
  'dd mmm yyyy',
  'dd-mmm-yyyy',
  'dd/mmm/yyyy',
  'dd mmm yy',
  'dd-mmm-yy',
  'dd/mm',
  'dd-mm',
] as const

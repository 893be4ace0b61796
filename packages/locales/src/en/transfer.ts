export const transfer = {
  pdf: { page: 'Page {{page}}', rows: '{{rows}} rows' },
}

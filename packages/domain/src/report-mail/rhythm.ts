export const rhythms = ['daily', 'weekly', 'monthly'] as const

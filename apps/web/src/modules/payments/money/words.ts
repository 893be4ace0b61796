import { useTranslation } from 'react-i18next'

export const useMoneyWords = () => useTranslation(['money', 'approvals', 'bills', 'common'])

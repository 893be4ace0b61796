import { useTranslation } from 'react-i18next'

export const useStaffBillWords = () => useTranslation(['staff-bills', 'approvals', 'money', 'bills', 'common'])

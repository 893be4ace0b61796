import { Button, Divider } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { urlOf } from '#web/api/client.ts'
import { keptDevice, keptReferral } from './referral.ts'

/** Opens Google's sign-in; Google returns to /sign-in-google. */
export function GoogleButton({ label, divided = false }: { label: string; divided?: boolean }) {
  const { t, i18n } = useTranslation('accounts')
  const href = urlOf('/auth/google/start', {
    query: { language: i18n.language, ref: keptReferral(), device: keptDevice() },
  })
  return (
    <>
      {divided && <Divider label={t('signIn.or')} labelPosition="center" />}
      <Button component="a" href={href} variant="default" fullWidth leftSection={<GoogleMark />}>
        {label}
      </Button>
    </>
  )
}

const GoogleMark = () => (
  <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
    <path
      fill="#4285F4"
      d="M17.600 9.200c0-.600-.050-1.200-.150-1.700H9v3.300h4.800a4.100 4.100 0 0 1-1.800 2.700v2.200h2.900c1.700-1.600 2.700-3.900 2.700-6.500Z"
    />
    <path
      fill="#34A853"
      d="M9 18c2.400 0 4.500-.800 6-2.200l-2.900-2.200a5.400 5.400 0 0 1-8.100-2.800H1v2.300A9 9 0 0 0 9 18Z"
    />
    <path fill="#FBBC05" d="M4 10.800a5.400 5.400 0 0 1 0-3.500V5H1a9 9 0 0 0 0 8.100l3-2.300Z" />
    <path
      fill="#EA4335"
      d="M9 3.600c1.300 0 2.500.500 3.400 1.300L15 2.300A9 9 0 0 0 1 5l3 2.300A5.400 5.400 0 0 1 9 3.600Z"
    />
  </svg>
)

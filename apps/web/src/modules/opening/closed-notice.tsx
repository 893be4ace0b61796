import { Alert, Anchor, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useBranding } from '#web/shell/branding.ts'

/** Replaces sign-up and application forms while registration is closed. */
export function ClosedNotice({ signIn }: { signIn?: boolean }) {
  const { t } = useTranslation('opening')
  const { name } = useBranding()
  return (
    <Alert variant="light" color="primary" title={t('notice.title')} role="status">
      <Stack gap="xs">
        <Text>{t('notice.text', { university: name })}</Text>
        {signIn && (
          <Text>
            {t('notice.account')}{' '}
            <Anchor component={Link} to="/sign-in">
              {t('notice.signIn')}
            </Anchor>
          </Text>
        )}
      </Stack>
    </Alert>
  )
}

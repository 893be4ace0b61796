import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import { MantineThemeProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'

/** Short messages after an action (`notifications.show` of @mantine/notifications). */
export default function Toasts() {
  const { t } = useTranslation()
  const theme = {
    components: { Notification: { defaultProps: { closeButtonProps: { 'aria-label': t('actions.close') } } } },
  }
  return (
    <MantineThemeProvider theme={theme} inherit>
      <Notifications position="top-right" autoClose={5000} zIndex={400} />
    </MantineThemeProvider>
  )
}

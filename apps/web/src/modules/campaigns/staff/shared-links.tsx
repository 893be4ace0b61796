import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type Screen, screens, sharedParts } from '#domain/campaigns/screens.ts'
import { useSession } from '#web/shell/session/session.tsx'
import classes from './campaigns.module.css'

/** Base path of the pages for templates, opt-outs and blocked addresses. Undefined if the user may open none. */
export function useSharedPath(screen: Screen) {
  const { may } = useSession()
  return [screen, screens.registrations, screens.marketing].find(({ key, access }) => key !== 'sheet' && may(access))
    ?.shared
}

/** Links to the pages for templates, opt-outs and blocked addresses. Empty if the user may open none. */
export function SharedLinks({ screen }: { screen: Screen }) {
  const { t } = useTranslation('send')
  const shared = useSharedPath(screen)
  if (!shared) return null
  return (
    <nav aria-label={t('shared.label')} className={classes.links}>
      {Object.entries(sharedParts).map(([part, path]) => (
        <Anchor key={part} component={Link} to={`${shared}/${path}`} size="sm">
          {t(`shared.${part as keyof typeof sharedParts}`)}
        </Anchor>
      ))}
    </nav>
  )
}

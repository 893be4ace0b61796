import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type Screen, screens, sharedParts } from '#domain/campaigns/screens.ts'
import { useSession } from '#web/shell/session/session.tsx'
import classes from './campaigns.module.css'

/** Address below which the reader finds texts and addresses of campaigns; undefined without access to any. */
export function useSharedPath(screen: Screen) {
  const { may } = useSession()
  return [screen, screens.registrations, screens.marketing].find(({ key, access }) => key !== 'sheet' && may(access))
    ?.shared
}

/** Links to the texts and addresses of campaigns, below the first address that the reader may open. */
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

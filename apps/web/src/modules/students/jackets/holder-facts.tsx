import { useTranslation } from 'react-i18next'
import type { JacketHolder } from '#domain/students/jackets/endpoints.ts'
import { Facts } from '#web/ui/facts.tsx'
import classes from './jackets.module.css'

/** Photo and names of a student at the desk. */
export function HolderFacts({ holder }: { holder: JacketHolder }) {
  const { t } = useTranslation('jackets')
  const { name, photoUrl, npm, code, programme, wanted } = holder
  return (
    <div className={classes.person}>
      {photoUrl && <img className={classes.photo} src={photoUrl} alt={t('desk.photo', { name })} />}
      <Facts
        facts={[
          [t('column.name'), name],
          [t('column.npm'), npm],
          [t('column.code'), code],
          [t('column.programme'), programme],
          [t('column.wanted'), wanted],
        ]}
      />
    </div>
  )
}

"""The names of the server's commands."""

EXPLORE = "sightline.explore"
FOLLOW_UP = "sightline.followUp"
EXPLORE_AT = "sightline.exploreAt"
SURVEY = "sightline.survey"
REPORT = "sightline.report"
SHOW_REPORT = "sightline.showReport"
NEXT_LINK = "sightline.nextLink"
PREVIOUS_LINK = "sightline.previousLink"
DISMISS_REPORT = "sightline.dismissReport"
REPORTS = "sightline.reports"
EXPORT = "sightline.export"
CLEAR_CACHE = "sightline.clearCache"
REINDEX = "sightline.reindex"
STATUS = "sightline.status"

COMMANDS = (
    EXPLORE,
    FOLLOW_UP,
    EXPLORE_AT,
    SURVEY,
    REPORT,
    SHOW_REPORT,
    NEXT_LINK,
    PREVIOUS_LINK,
    DISMISS_REPORT,
    REPORTS,
    EXPORT,
    CLEAR_CACHE,
    REINDEX,
    STATUS,
)

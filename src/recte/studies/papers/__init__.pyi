from recte.studies.papers.command import reproduce as reproduce

"""The dialogs of the page."""

"""What the client calls itself."""

from importlib.metadata import version

__version__ = version("psgc-client")
USER_AGENT = f"psgc-client-python/{__version__}"

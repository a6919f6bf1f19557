# Generated from the module of the same name in _async by generate.py.

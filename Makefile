# Every job is one word to .ci/dev.py, which holds the list and the logic: `make lab` is `python3 .ci/dev.py lab`.
# `make` alone lists them. Another Python: make PYTHON=python3.12 lab. Options of a job: make lab OPTIONS=--no-browser
PYTHON ?= python3
MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := help

# One experiment at the paper's sizes: make reproduce EXP=5.3 PROFILE=paper
reproduce: override OPTIONS += $(if $(EXP),--experiment $(EXP)) $(if $(PROFILE),--profile $(PROFILE))

# The skeleton of a page: make page NAME=17_my_page
page: override OPTIONS += $(NAME)

%: always
	@command -v "$(PYTHON)" >/dev/null 2>&1 || { \
	  echo "pmp_kit: no $(PYTHON) on the PATH. Install Python 3.11 or newer (https://www.python.org, or your" >&2; \
	  echo "system's package manager: sudo apt install python3 python3-venv), then run the same command again." >&2; \
	  exit 1; }
	@exec "$(PYTHON)" .ci/dev.py $@ $(OPTIONS)

# Each goal is run although a folder may have its name (docs); this file itself is no job.
always Makefile: ;
.PHONY: always

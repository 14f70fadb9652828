# The menu. `make` alone prints it; every verb's one line is the comment behind its name.
.DEFAULT_GOAL := help
SHELL := bash
.SHELLFLAGS := -euo pipefail -c

# How many times `make soak` kills the workers.
KILL_ROUNDS ?= 300

.PHONY: help
help: ## print this menu
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: build ## build what is missing and start Kawaraban on SQLite, nothing configured
	@exec "$$(scripts/target-dir)/release/kawaraban" serve

.PHONY: dev
dev: ## start Kawaraban, rebuild and restart it when a source file changes, and show pages as you type them
	@exec scripts/dev

.PHONY: build
build: build-tools ui ## build the release binary with its pages, release/kawaraban in cargo's target folder
	@[ -x "$$(scripts/target-dir)/release/kawaraban" ] || echo "First release build: several minutes. Later ones are quick."
	@cargo build --release --locked -p kawaraban

.PHONY: test
test: test-tools ui ## run every test, on SQLite and PostgreSQL, and in a browser
	@scripts/ui-build npm test
	@scripts/corpus
	@cargo test --workspace --locked --no-run
	@scripts/with-postgres cargo test --workspace --locked --quiet --no-fail-fast
	@cargo build --locked --quiet -p kawaraban
	@scripts/with-postgres scripts/schemathesis
	@scripts/with-postgres scripts/browser-tests

.PHONY: corpus
corpus: tools ## hold the feed engine against feedparser's test cases, and write docs/feed-conformance.md anew
	@scripts/corpus
	@WRITE_CONFORMANCE=1 cargo test --locked --quiet -p feed --test corpus -- --nocapture

.PHONY: check
check: build-tools ## check formatting, lints, types and documentation
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked --quiet -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --document-private-items --locked --quiet
	scripts/ui-build npm run check
	scripts/browser-tests --check

.PHONY: quick
quick: build-tools ## check what has changed, in under a minute: no server, no browser
	@scripts/quick

.PHONY: fmt
fmt: build-tools ## format the source
	cargo fmt --all
	@scripts/ui-build npm run fmt
	@scripts/ui-build npm exec -- biome check --write --config-path=../e2e/biome.json ../e2e

.PHONY: bench
bench: test-tools build ## measure against the budgets, on durable databases
	@FEEDPARSER_PYTHON=$$(scripts/feedparser-python || true) cargo bench --locked -p feed --bench feed
	@cargo bench --locked -p article --bench article
	@scripts/with-postgres --durable cargo bench --locked -p queue --bench queue
	@scripts/with-postgres --durable cargo bench --locked -p read --bench refresh
	@scripts/with-postgres --durable cargo bench --locked -p watch --bench checks
	@scripts/with-postgres --durable cargo bench --locked -p store --bench lists
	@scripts/with-postgres --durable cargo bench --locked -p read --bench search
	@scripts/with-postgres --durable cargo bench --locked -p web --bench api
	@scripts/with-postgres --durable scripts/measure-start
	@scripts/measure-ui

.PHONY: fuzz
fuzz: tools ## break feeds, pages, sitemaps, PDF files and dates at random for FUZZ_SECONDS (60); FUZZ_SEED does the same again
	@cargo run --release --locked --quiet -p feed --example fuzz
	@cargo run --release --locked --quiet -p article --example fuzz
	@cargo run --release --locked --quiet -p posts --example fuzz

.PHONY: soak
soak: tools ## kill workers KILL_ROUNDS times (300) and prove that no job is lost or done twice
	@KILL_ROUNDS=$(KILL_ROUNDS) scripts/with-postgres cargo test --release --locked -p testkit --test killed_workers -- --nocapture

.PHONY: docs
docs: ## write what is generated anew (docs/configuration.md, docs/openapi.json, the client's types)
	@cargo run --quiet --locked -p kawaraban -- config --markdown > docs/configuration.md.new
	@mv docs/configuration.md.new docs/configuration.md
	@cargo run --quiet --locked -p kawaraban -- openapi > docs/openapi.json.new
	@mv docs/openapi.json.new docs/openapi.json
	@scripts/ui-build npm run api

.PHONY: screenshots
screenshots: test-tools ## take a picture of every screen, and keep those that docs/screenshots/README.md names
	@scripts/screenshots

.PHONY: audit
audit: ## check the licences, bans and sources of dependencies with cargo-deny
	@command -v cargo-deny > /dev/null || cargo install cargo-deny --locked
	cargo deny --locked check licenses bans sources

.PHONY: clean
clean: ## remove what was built
	cargo clean
	rm -rf ui/dist

.PHONY: ui
ui:
	@scripts/ui-build

# What a verb needs, looked for before anything is compiled.
.PHONY: tools
tools:
	@scripts/check-tools rust

.PHONY: build-tools
build-tools:
	@scripts/check-tools rust node

.PHONY: test-tools
test-tools:
	@scripts/check-tools rust node python postgres psql chromium

from __future__ import annotations

from rony_desktop.app.factory import create_app


async def test_what_measures_the_model_is_what_runs_it() -> None:
    app = create_app()
    assert app.runtime is app.benches.runtime
    assert app.launches is app.benches.launches is app.runtime.launches
    await app.store.aclose()

package dev.ratelimit.gate;

/**
 * Calls two observers.
 *
 * @param first called first
 * @param second called second
 */
record BothObservers(PassageObserver first, PassageObserver second) implements PassageObserver {

	@Override
	public void sawTwice() {
		this.first.sawTwice();
		this.second.sawTwice();
	}

	@Override
	public ObservedPassage enter(Call call, RequestProgress progress) {
		ObservedPassage one = this.first.enter(call, progress);
		ObservedPassage other = this.second.enter(call, progress);
		return (decision) -> {
			one.decided(decision);
			other.decided(decision);
		};
	}

}

package dev.ratelimit.sample;

class ReactiveFleetTests extends FleetContract {

	ReactiveFleetTests() {
		super("reactive");
	}

}

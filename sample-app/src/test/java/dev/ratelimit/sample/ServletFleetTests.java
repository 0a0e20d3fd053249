package dev.ratelimit.sample;

class ServletFleetTests extends FleetContract {

	ServletFleetTests() {
		super("servlet");
	}

}

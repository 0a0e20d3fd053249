package dev.ratelimit.test;

import java.util.concurrent.CountDownLatch;

/**
 * Hangs during the main method or during the shutdown of the JVM.
 */
public final class HangingApplication {

	private HangingApplication() {
	}

	public static void main(String[] arguments) {
		HangDetector.begin("A test", HangDetector.STEP);
		if (arguments[0].equals("hangs")) {
			Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("The hook ran")));
			hangs();
		}
		Runtime.getRuntime().addShutdownHook(new Thread(HangingApplication::hangs));
	}

	private static void hangs() {
		try {
			new CountDownLatch(1).await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}

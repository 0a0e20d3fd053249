package dev.ratelimit.store;

/**
 * What every store must do. Implement it in a test class, with the hooks of
 * {@link StoreUnderTest}, and JUnit runs it all.
 * <p>
 * No method of a store may block. This kit cannot show that a store does not, and the
 * guard before stores cannot end a call that holds its thread.
 */
public interface LimitStoreContract extends ChargeContract, AlgorithmContract, SettlementContract, LimitChangeContract,
		ClockContract, DemandContract, ReplayContract, ReplayBoundsContract, ContentionContract {

}

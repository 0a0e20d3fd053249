package dev.ratelimit.store;

/**
 * What every store must do. Implement it in a test class, with the hooks of
 * {@link StoreUnderTest}, and JUnit runs it all.
 */
public interface LimitStoreContract extends ChargeContract, AlgorithmContract, SettlementContract, DemandContract,
		ReplayContract, ReplayBoundsContract, ContentionContract {

}

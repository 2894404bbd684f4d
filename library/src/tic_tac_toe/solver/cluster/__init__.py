"""The fast solver on a cluster of machines, by Dask `distributed`."""

from tic_tac_toe.solver.cluster.connection import CONNECT_SECONDS, ClusterError, connect
from tic_tac_toe.solver.cluster.solver import ClusterSolver

__all__ = ["CONNECT_SECONDS", "ClusterError", "ClusterSolver", "connect"]
